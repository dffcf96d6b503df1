const LOOKUP_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether something, a workflow or a step, can be asked for by the id. */
export function isLookupId(id: string): boolean {
  return LOOKUP_ID.test(id);
}
