/* grade.ts: how an efficiency is coloured: from 0.8 on it is acceptable, says POP. */

/* A class of page.css. */
export function gradeOf(value: number | null): string {
    if (value === null || Number.isNaN(value))
        return "";
    return value >= 0.8 ? "grade-good" : value >= 0.6 ? "grade-fair" : "grade-low";
}
