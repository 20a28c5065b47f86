#include "event_cut.h"

#include <errno.h>

#include "memory.h"

void
hd_cut_init(hd_cut *cut, hd_extraction *all, uint32_t location)
{
    *cut = (hd_cut){ .all = all, .location = location,
                     .process = hd_defs_locations(all->request->defs)[location].process };
    HD_PUSH(cut->tasks, cut->n_tasks, cut->capacity_tasks, ((hd_cut_task){ .fragment = 0, .context = HD_NONE }));
    HD_PUSH(cut->resumed, cut->n_resumed, cut->capacity_resumed, 0);
    cut->plausible = hd_plausible_times(all->request->defs);
    cut->sampler   = OTF2_UNDEFINED_INTERRUPT_GENERATOR;
}

void
hd_cut_pop(hd_cut_task *of)
{
    of->n--;
    free(of->open[of->n].arguments);
}

void
hd_cut_fini(hd_cut *cut)
{
    for (size_t i = 0; i < cut->n_tasks; i++) {
        while (cut->tasks[i].n > 0)
            hd_cut_pop(&cut->tasks[i]);
        free(cut->tasks[i].open);
    }
    free(cut->tasks);
    free(cut->resumed);
    free(cut->before);
    hd_record_times_fini(&cut->times);
}

bool
hd_extract_is_of_the_disk(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
}

void
hd_extract_note_error(hd_extraction *all, OTF2_ErrorCode error)
{
    if (all->error != OTF2_SUCCESS || (error == OTF2_SUCCESS && !hd_extract_is_of_the_disk(errno)))
        return;
    all->error        = error != OTF2_SUCCESS ? error : OTF2_ERROR_FILE_INTERACTION;
    all->system_error = errno;
}

void
hd_cut_put(hd_cut *cut, OTF2_ErrorCode error)
{
    hd_extract_note_error(cut->all, error);
}

bool
hd_extract_is_to_stop(const hd_extraction *all)
{
    return all->request->stop != NULL && *all->request->stop != 0;
}

bool
hd_extract_goes_on(const hd_extraction *all)
{
    return all->error == OTF2_SUCCESS && !hd_extract_is_to_stop(all);
}
