import { isVisible, type ToolFilter } from '../compile/tools/tool-filter.ts';

/** What is made of the visible items of an application. */
export type Visible<View> = () => View;

/**
 * The items that a filter leaves, in a form that is good for look-ups: what is listed is what can be called.
 * The form is made anew only when the source gives another list.
 */
export function visibleItems<Item extends { readonly tags: readonly string[] }, View>(
  source: () => readonly Item[],
  filter: ToolFilter | undefined,
  arrange: (items: readonly Item[]) => View,
): Visible<View> {
  let known: { readonly items: readonly Item[]; readonly view: View } | undefined;
  return () => {
    const items = source();
    if (known?.items !== items) {
      known = { items, view: arrange(items.filter((item) => isVisible(item, filter))) };
    }
    return known.view;
  };
}
