/* src/report/html/page_matrix.c: writes the communication matrix of a page: pairs of processes and pairs of nodes.
 * Pairs stand in columns, so that equal numbers are near each other and compress well. */
#include "page_matrix.h"

#include <string.h>

#include "matrix_pairs.h"
#include "memory.h"

enum { HEAD = 3, COLUMNS = 7 };

static void
put(hd_out_file *out, const char *text)
{
    hd_out_file_put(out, text, strlen(text));
}

/* n: processes or nodes; block: so many of them have one number. */
static double *
make_numbers(const hd_matrix_list *list, uint32_t n, uint32_t block, size_t *n_numbers)
{
    double *numbers = HD_NEW_UNSET(double, HEAD + HD_MATRIX_SIZE_CLASSES + COLUMNS * list->n), *at = numbers;

    *at++ = n;
    *at++ = block;
    *at++ = (double)list->n;
    for (uint32_t i = 0; i < HD_MATRIX_SIZE_CLASSES; i++)
        *at++ = (double)list->sizes[i];
    for (size_t i = 0; i < list->n; i++, at++) {
        const hd_matrix_entry *entry = &list->entries[i];

        at[0]           = entry->sender;
        at[list->n]     = entry->receiver;
        at[2 * list->n] = (double)entry->messages;
        at[3 * list->n] = (double)entry->bytes;
        at[4 * list->n] = entry->late_sender;
        at[5 * list->n] = entry->late_receiver;
        at[6 * list->n] = entry->transfer;
    }
    *n_numbers = HEAD + HD_MATRIX_SIZE_CLASSES + COLUMNS * list->n;
    return numbers;
}

static void
put_pairs(const hd_matrix_list *list, uint32_t n, const char *name, hd_page_packer *packer, hd_out_file *out)
{
    hd_matrix_list shown = *list;
    uint32_t       block = 1;
    size_t         n_numbers;
    double        *numbers;

    while (shown.n > HD_PAGE_PAIRS_MAX) {
        if (block > 1)
            hd_matrix_list_fini(&shown);
        block *= 2;
        hd_matrix_by_block(list, block, &shown);
    }
    numbers = make_numbers(&shown, n, block, &n_numbers);
    put(out, "<script type=\"text/plain\" id=\"");
    put(out, name);
    put(out, "\">");
    hd_page_pack_numbers(packer, NULL, numbers, n_numbers, out);
    put(out, "</script>\n");
    free(numbers);
    if (block > 1)
        hd_matrix_list_fini(&shown);
}

/* Pairs with a process that is on no node. */
static void
drop_unknown(hd_matrix_list *of_nodes)
{
    size_t n = 0;

    for (size_t i = 0; i < of_nodes->n; i++)
        if (of_nodes->entries[i].sender != HD_NONE && of_nodes->entries[i].receiver != HD_NONE)
            of_nodes->entries[n++] = of_nodes->entries[i];
    of_nodes->n = n;
}

hd_status
hd_page_matrix_write(hd_cube *cube, hd_page_packer *packer, hd_out_file *out)
{
    hd_division    nodes;
    hd_matrix_list list, of_nodes;
    hd_status      status = hd_matrix_list_read(cube, &list);

    if (status == HD_OK && list.n > 0) {
        put_pairs(&list, hd_matrix_n_processes(cube, &list), "heddle-matrix", packer, out);
        hd_division_by_node(cube, &nodes);
        if (nodes.n > 1) {
            hd_matrix_by_node(cube, &list, &nodes, &of_nodes);
            drop_unknown(&of_nodes);
            put_pairs(&of_nodes, nodes.n, "heddle-matrix-nodes", packer, out);
            hd_matrix_list_fini(&of_nodes);
        }
        hd_division_fini(&nodes);
    }
    hd_matrix_list_fini(&list);
    return status;
}
