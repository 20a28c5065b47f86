/* sections/startup.tsx: what is not counted on this page: MPI_Init and MPI_Finalize. */
import type { PartProps } from "./pieces";

export function Startup({ store: { model } }: PartProps) {
    const text = model.head.startup;
    return text ? <p class="lead" id="startup">{text} <code>heddle html --with-startup</code> counts it.</p> : null;
}
