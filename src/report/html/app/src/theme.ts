/* theme.ts: dark or light: what the system says, unless the user says otherwise. */
import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";

const KEY = "heddle-theme";

function stored(): Theme {
    try {
        const theme = localStorage.getItem(KEY);
        return theme === "light" || theme === "dark" ? theme : "auto";
    } catch {
        return "auto";                   /* pages from disk may have no storage */
    }
}

export function useTheme(): { theme: Theme; dark: boolean; next(): void } {
    const [theme, setTheme] = useState<Theme>(stored);
    const query = matchMedia("(prefers-color-scheme: dark)");
    const [system, setSystem] = useState(query.matches);
    const [printing, setPrinting] = useState(matchMedia("print").matches);
    useEffect(() => {
        const print = matchMedia("print");
        const onSystem = (): void => setSystem(query.matches);
        const onPrint = (): void => setPrinting(print.matches);
        query.addEventListener("change", onSystem);
        print.addEventListener("change", onPrint);
        return () => {
            query.removeEventListener("change", onSystem);
            print.removeEventListener("change", onPrint);
        };
    }, []);
    const dark = !printing && (theme === "auto" ? system : theme === "dark");
    useEffect(() => {
        document.documentElement.dataset.theme = dark ? "dark" : "light";
    }, [dark]);
    return {
        theme, dark,
        next() {
            const following: Theme = theme === "auto" ? (system ? "light" : "dark") : theme === "dark" ? "light" : "dark";
            setTheme(following);
            try {
                localStorage.setItem(KEY, following);
            } catch {
                /* then it holds for this page only */
            }
        },
    };
}
