/* src/profile/wait_facts.c: facts about the end of the recording. */
#include "wait_facts.h"

#include "memory.h"

void
hd_wait_facts_fini(hd_wait_facts *facts)
{
    free(facts->endings);
    free(facts->waits);
    free(facts->members);
    *facts = (hd_wait_facts){ 0 };
}
