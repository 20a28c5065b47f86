/* src/report/terminal/section_files.c: the section "File I/O": what the program read and wrote, and its files. */
#include "summary_sections.h"

#include "bytes_text.h"
#include "escape.h"
#include "file_json.h"
#include "memory.h"
#include "time_text.h"

typedef struct files {
    hd_file_list  list;
    hd_file_entry total;
    double        time, mpi, wait; /* [s] in calls for files; the part in MPI-IO; waiting in collective ones */
} files;

static hd_status
find(hd_summary_page *page, files *found)
{
    hd_status status = HD_OK;

    found->time = hd_summary_page_total(page, "io_time", &status);
    found->mpi  = hd_summary_page_total(page, "io_time_mpi", &status);
    found->wait = hd_summary_page_total(page, "mpi_io_wait", &status) +
                  hd_summary_page_total(page, "mpi_file_wait", &status);
    if (status == HD_OK)
        status = hd_file_list_read(page->cube, &found->list);
    found->total = hd_file_list_total(&found->list);
    return status;
}

static void
put(const hd_summary_page *page, const files *found)
{
    hd_json_object(page->json, page->key);
    hd_json_number(page->json, "time_in_calls", found->time);
    hd_json_number(page->json, "time_in_mpi_io", found->mpi);
    hd_json_number(page->json, "waiting", found->wait);
    hd_json_file_values(page->json, &found->total);
    hd_json_count(page->json, "n_files", found->list.n);
    hd_json_files(page->json, "files", &found->list, page->options.n_top);
    hd_json_end(page->json);
}

/* "28 operations, 80 bytes read, 16 bytes written, 119 bytes/s"; free() it. */
static char *
moved_words(const hd_file_entry *entry)
{
    double   bandwidth    = hd_file_bandwidth(entry);
    uint64_t n_operations = hd_file_operations(entry);

    return hd_format("%" PRIu64 " operation%s, %s read, %s written%s%s", n_operations, hd_plural((double)n_operations),
                     hd_bytes_text_of((double)entry->bytes_read).text,
                     hd_bytes_text_of((double)entry->bytes_written).text, bandwidth > 0 ? ", " : "",
                     bandwidth > 0 ? hd_bandwidth_text_of(bandwidth).text : "");
}

static void
print_total(const hd_summary_page *page, const files *found)
{
    char *mpi   = found->mpi > 0 ? hd_format(", %s of it in MPI-IO", hd_time_text_of(found->mpi).text) : hd_strdup("");
    char *wait  = found->wait > 0 ? hd_format(", %s waiting in collective calls", hd_time_text_of(found->wait).text) :
                    hd_strdup("");
    char *time  = hd_format("%s in calls for files (%.1f %% of time)%s%s", hd_time_text_of(found->time).text,
                              hd_share(found->time, page->time), mpi, wait);
    char *moved = moved_words(&found->total);

    hd_summary_page_list(page, 2, time);
    hd_summary_page_list(page, 2, moved);
    free(mpi);
    free(wait);
    free(time);
    free(moved);
}

static void
print_file(const hd_summary_page *page, const hd_file_entry *entry)
{
    char *text  = hd_format("%s (%s%s)", entry->name, entry->paradigm, entry->is_inner != 0 ? ", inner" : "");
    char *name  = hd_escaped(text);
    char *moved = moved_words(entry);
    char *words = hd_format("%s: %" PRIu32 " process%s, %s", hd_time_text_of(entry->time).text, entry->n_processes,
                            entry->n_processes == 1 ? "" : "es", moved);

    fprintf(page->file, "  %s\n", hd_name_cut(page->cuts, name, page->options.width - 2));
    hd_summary_page_list(page, 6, words);
    free(words);
    free(moved);
    free(name);
    free(text);
}

static void
print(const hd_summary_page *page, const files *found)
{
    size_t n = found->list.n < page->options.n_top ? found->list.n : page->options.n_top;

    print_total(page, found);
    for (size_t i = 0; i < n; i++)
        print_file(page, &found->list.entries[i]);
    if (found->list.n > n)
        fprintf(page->file, "  (%zu more)\n", found->list.n - n);
}

hd_status
hd_section_files(hd_summary_page *page)
{
    files     found  = { .list.n = 0 };
    hd_status status = find(page, &found);

    if (status == HD_OK && found.list.n > 0 && page->json != NULL)
        put(page, &found);
    else if (status == HD_OK && found.list.n > 0)
        print(page, &found);
    hd_file_list_fini(&found.list);
    return status;
}
