/** A tool as the model was shown it. */
export interface KnownTool {
  readonly name: string;
  readonly schema: { readonly required?: readonly string[]; readonly properties?: object };
}

/** A call that the model wants to be made. */
export interface WantedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says next: calls to make, or its last word. */
export type Turn = { readonly call: WantedCall } | { readonly text: string };

const PLAN: readonly Readonly<Record<string, unknown>>[] = [
  { action: 'find', text: 'lamp' },
  // Models make mistakes; the answer shows this one how to repair it.
  { action: 'order', productId: 'lamp-1', quantity: 'two' },
  { action: 'order', productId: 'lamp-1', quantity: 2 },
];

/**
 * A model that always does the same: it searches, orders wrongly, repairs its call and sums up.
 * Like real models it fills in every required field, with null for what it has no value for.
 */
export function nextTurn(tools: readonly KnownTool[], results: readonly string[]): Turn {
  const [tool] = tools;
  if (tool === undefined) return { text: 'I have no tools.' };
  const step = PLAN[results.length];
  if (step === undefined) return { text: `Done. The shop said: ${String(results.at(-1))}` };
  const blanks = Object.fromEntries((tool.schema.required ?? []).map((name) => [name, null]));
  return {
    call: { id: `call_${String(results.length + 1)}`, name: tool.name, args: { ...blanks, ...step } },
  };
}
