#include "recent_posts.h"

enum { FIRST_ROWS = 8, MOST_ROWS = 512 };

static hd_recent_posts *
with_rows(const hd_recent_posts *old, uint32_t n_rows)
{
    hd_recent_posts *posts = hd_alloc(1, sizeof *posts + n_rows * sizeof posts->rows[0]);

    posts->mask = n_rows - 1;
    for (uint32_t i = 0; old != NULL && i <= old->mask && i < old->n; i++) {
        uint32_t number = old->n - 1 - i;

        posts->rows[number & posts->mask] = old->rows[number & old->mask];
    }
    posts->n = old != NULL ? old->n : 0;
    return posts;
}

hd_recent_posts *
hd_recent_posts_new(void)
{
    return with_rows(NULL, FIRST_ROWS);
}

/* The next one of the kind is as far back, so it is there then. */
static void
grow(hd_recent_posts **posts)
{
    hd_recent_posts *more;

    if ((*posts)->mask + 1 == MOST_ROWS)
        return;
    more = with_rows(*posts, 2 * ((*posts)->mask + 1));
    free(*posts);
    *posts = more;
}

const hd_recent_post *
hd_recent_posts_find(hd_recent_posts **posts, hd_time enter, uint32_t post)
{
    const hd_recent_posts *all = *posts;

    for (uint32_t i = 0; all != NULL && i <= all->mask; i++) {
        const hd_recent_post *row = &all->rows[(all->n - 1 - i) & all->mask];

        if (row->order == 0 || row->enter < enter)
            return NULL;
        if (row->enter == enter && row->post == post)
            return row;
    }
    if (all != NULL)
        grow(posts);
    return NULL;
}
