/* replay/clock_agent.c: where the point at hand of a location is, and what bounds it. */
#include "clock_agent.h"

#define FADES_IN 100000 /* a move gets shorter by one part in so many of the time that passes */

hd_span
hd_clock_faded(const hd_clock_agent *agent, hd_time time)
{
    hd_span left = agent->jumped - hd_span_between(agent->jump, time) / FADES_IN;

    return left > 0 ? left : 0;
}

hd_clock_event
hd_clock_event_at(const hd_clock_replay *replay, const hd_clock_agent *agent)
{
    hd_time time = agent->log->points[agent->at].time;
    hd_span move = replay->is_check ? agent->log->moves[agent->at] : hd_clock_faded(agent, time);

    return (hd_clock_event){ .corrected = time + (hd_time)move, .time = time, .process = agent->process_id, .thread = agent->thread };
}

void
hd_clock_limit(hd_clock_agent *agent, size_t point, hd_time latest)
{
    hd_span move = hd_span_between(agent->log->points[point].time, latest);

    if (move < agent->limits[point])
        agent->limits[point] = move;
}

void
hd_clock_stop_waiting(hd_clock_replay *replay, const hd_clock_agent *agent, uint32_t *waiting)
{
    while (*waiting != HD_NONE && *waiting != agent->number)
        waiting = &replay->agents[*waiting].next_waiting;
    if (*waiting != HD_NONE)
        *waiting = agent->next_waiting;
}
