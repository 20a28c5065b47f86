/* views/instance_commands.ts: the commands that cut an instance out of its archive, and export it for timeline viewers. */
import type { Model } from "../model";
import type { Instance } from "./timeline_data";

/* For a shell: quoted where it has to be. */
export function shellWord(text: string): string {
    return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/* As --margin takes it, rounded up, so that the window is in it. */
export function marginWord(seconds: number): string {
    return `${Math.max(1, Math.ceil(seconds * 1e9 - 1e-6))}ns`;
}

export interface InstanceCommand { what: string; text: string }

export function commandsOf(model: Model, instance: Instance): InstanceCommand[] {
    const archive = model.head.attributes.find(([key]) => key === "Heddle::Archive")?.[1] ?? "";
    const report = model.head.title.endsWith(".cubex") ? model.head.title : "REPORT.cubex";
    const which = `${archive === "" ? "ARCHIVE" : shellWord(archive)} --report ${shellWord(report)} --instance ${instance.number}`
        + ` --margin ${marginWord((instance.leave - instance.enter) / 2)}`;
    return [
        { what: "as an archive of its own", text: `heddle extract ${which} -o instance-${instance.number}` },
        { what: "for Perfetto", text: `heddle export ${which} --perfetto instance-${instance.number}.json` },
    ];
}
