/** The name of an action that is a tool by itself: `books_find`, `office_rooms_book`; `find` without a prefix. */
export function flatName(prefix: string, actionKey: string, separator: string): string {
  const names = actionKey.split('.');
  return (prefix === '' ? names : [prefix, ...names]).join(separator);
}
