/** How a handler's value becomes text: indented JSON, a TOON table, or compact text. */
export type ResultFormat = 'json' | 'toon' | 'text';
