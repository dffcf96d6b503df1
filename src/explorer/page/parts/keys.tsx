const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);
const NAMES: Readonly<Record<string, string>> = {
  Mod: IS_APPLE ? '⌘' : 'Ctrl',
  Shift: IS_APPLE ? '⇧' : 'Shift',
  Enter: '⏎',
};

/** Keys that are pressed together, by the names that the person's keyboard has: `Mod Enter`. */
export function Keys({ of, isRead = false }: { readonly of: string; readonly isRead?: boolean }) {
  return (
    // Beside the word of a button they are for the eyes alone
    <kbd class="keys" aria-hidden={!isRead}>
      {of.split(' ').map((key) => (
        <span key={key}>{NAMES[key] ?? key}</span>
      ))}
    </kbd>
  );
}
