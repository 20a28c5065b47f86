#include "speed_words.h"

#include <stdlib.h>

#include "memory.h"
#include "time_text.h"

#define NOTABLE 1.05  /* ratios from here on, and below the inverse, are said */
#define DOUBLE  1.995 /* from here on so many times, not so many percent more */

/* How far it is from the same. */
static double
weight_of(double ratio)
{
    return ratio >= 1 ? ratio : 1 / ratio;
}

/* "38 % more ", "12 % fewer ", "3.1 times the ", "the same "; free() it. */
static char *
amount(double ratio, const char *less)
{
    if (ratio < NOTABLE && ratio > 1 / NOTABLE)
        return hd_strdup("the same ");
    if (ratio >= DOUBLE)
        return hd_format("%.1f times the ", ratio);
    if (ratio > 1)
        return hd_format("%.0f %% more ", 100 * (ratio - 1));
    return hd_format("%.0f %% %s ", 100 * (1 - ratio), less);
}

/* "38 % more time than", "3.1 times the time of"; free() it. */
static char *
time_words(double ratio)
{
    if (weight_of(ratio) < NOTABLE)
        return hd_strdup("as long as");
    if (ratio >= DOUBLE)
        return hd_format("%.1f times the time of", ratio);
    return ratio > 1 ? hd_format("%.0f %% more time than", 100 * (ratio - 1)) :
           hd_format("%.0f %% less time than", 100 * (1 - ratio));
}

static const char *
name_of(hd_speed_factor factor, const hd_work_or_speed *found)
{
    bool has_instructions = found->ratio[HD_FACTOR_INSTRUCTIONS] > 0, has_cycles = found->ratio[HD_FACTOR_CYCLES] > 0;

    switch (factor) {
    case HD_FACTOR_INSTRUCTIONS: return "instructions";
    case HD_FACTOR_CYCLES: return has_instructions ? "cycles per instruction" : "cycles";
    case HD_FACTOR_CLOCK:
        return has_cycles ? "CPU time per cycle" : has_instructions ? "CPU time per instruction" : "CPU time";
    case HD_FACTOR_OFF_CPU: return "time per CPU time";
    default: return has_cycles ? "time per cycle" : has_instructions ? "time per instruction" : NULL; /* time */
    }
}

/* What it means that there is more of it. */
static const char *
reading_of(hd_speed_factor factor, const hd_work_or_speed *found)
{
    bool has_instructions = found->ratio[HD_FACTOR_INSTRUCTIONS] > 0, has_cycles = found->ratio[HD_FACTOR_CYCLES] > 0;

    switch (factor) {
    case HD_FACTOR_INSTRUCTIONS: return " (more work)";
    case HD_FACTOR_CYCLES: return has_instructions ? " (slower work)" : "";
    case HD_FACTOR_CLOCK: return has_cycles ? " (lower clock rate)" : has_instructions ? " (slower work)" : "";
    case HD_FACTOR_OFF_CPU: return " (off the CPU)";
    default: return has_cycles ? " (lower clock rate, or off the CPU)" : " (slower work, or off the CPU)";
    }
}

static void
say_factor(FILE *out, const char *before, hd_speed_factor factor, const char *level, const hd_work_or_speed *found)
{
    double      ratio   = found->ratio[factor];
    bool        is_more = ratio >= NOTABLE;
    char       *text    = amount(ratio, factor <= HD_FACTOR_CYCLES ? "fewer" : "less");

    fprintf(out, "%s%s%s%s", before, text, name_of(factor, found), is_more ? reading_of(factor, found) : "");
    free(text);
    if (factor == HD_FACTOR_OFF_CPU && is_more)
        fprintf(out, ": %s of %s on the CPU%s", hd_time_text_of(found->cpu_seconds).text,
                hd_time_text_of(found->seconds).text, found->waits > 1 ? ", on average" : "");
    if (factor == HD_FACTOR_CYCLES && (found->misses >= NOTABLE || (found->misses > 0 && found->misses <= 1 / NOTABLE))) {
        text = amount(found->misses, "fewer");
        fprintf(out, ", %s%s misses", text, level);
        free(text);
    }
}

/* What is left where none is known is the time, which is said. */
static bool
is_factor(int factor, const hd_work_or_speed *found)
{
    return found->ratio[factor] > 0 && name_of((hd_speed_factor)factor, found) != NULL;
}

/* The factor that explains most first; what is the same is said of work and speed only. before: the first one */
void
hd_speed_words_put(FILE *out, const char *before, const char *level, const hd_work_or_speed *found)
{
    bool is_said[HD_N_SPEED_FACTORS] = { false };

    for (;;) {
        int most = HD_N_SPEED_FACTORS;

        for (int i = 0; i < HD_N_SPEED_FACTORS; i++)
            if (!is_said[i] && is_factor(i, found) &&
                (most == HD_N_SPEED_FACTORS || weight_of(found->ratio[i]) > weight_of(found->ratio[most])))
                most = i;
        if (most == HD_N_SPEED_FACTORS)
            return;
        is_said[most] = true;
        if (weight_of(found->ratio[most]) < NOTABLE && most > HD_FACTOR_CYCLES)
            continue;
        say_factor(out, before, (hd_speed_factor)most, level, found);
        before = "; ";
    }
}

/* Of counters that are no factors: chosen with --counters, and misses that are not said beside cycles. */
static void
say_others(FILE *out, const hd_speed_counters *counters, const hd_work_or_speed *found)
{
    const hd_speed_roles *roles = &counters->in_list;

    for (uint32_t i = 0; i < counters->list.n_counters; i++) {
        char *text;

        if (i == roles->instructions || i == roles->cycles || i == roles->cpu_time ||
            (i == roles->misses && found->ratio[HD_FACTOR_CYCLES] > 0) ||
            found->counted[i] <= 0 || weight_of(found->counted[i]) < NOTABLE)
            continue;
        text = amount(found->counted[i], "less");
        fprintf(out, "; %s%s", text, counters->list.names[i]);
        free(text);
    }
}

static void
say_who(FILE *out, const hd_cube *cube, const hd_work_or_speed *found)
{
    bool  are_threads = cube->n_groups == 1, is_one = found->n_culprits == 1;
    char *times       = time_words(found->time);

    if (is_one)
        fprintf(out, "work or speed: %s %" PRIu32, are_threads ? "thread" : "process",
                are_threads ? cube->locations[found->first].thread : cube->groups[found->first].rank);
    else
        fprintf(out, "work or speed: %" PRIu32 " %s", found->n_culprits, are_threads ? "threads" : "processes");
    fprintf(out, " take%s %s ", is_one ? "s" : "", times);
    if (found->waits > 0)
        fprintf(out, "those that wait for %s", is_one ? "it" : "them");
    else
        fprintf(out, "the %" PRIu32 " other%s", found->n_others, found->n_others == 1 ? "" : "s");
    free(times);
}

char *
hd_work_or_speed_text(const hd_cube *cube, const hd_speed_counters *counters, const hd_work_or_speed *found)
{
    char  *text  = NULL;
    size_t bytes = 0;
    FILE  *out;

    if (!found->is_known)
        return NULL;
    out = open_memstream(&text, &bytes);
    if (out == NULL)
        hd_fatal("out of memory: the comparison of counters cannot be written");
    say_who(out, cube, found);
    hd_speed_words_put(out, "; ", found->waits > 0 ? counters->in_list.level : counters->in_report.level, found);
    say_others(out, counters, found);
    if (fclose(out) != 0)
        hd_fatal("out of memory: the comparison of counters cannot be written");
    return text;
}
