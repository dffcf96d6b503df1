/** The name of an action that is a tool by itself: `books_find`, `office_rooms_book`. */
export function flatName(tool: string, actionKey: string, separator: string): string {
  return [tool, ...actionKey.split('.')].join(separator);
}
