import type { PlainObject } from '../../shared/json.ts';

/**
 * A compiled check: from the input to the instance. Undefined means that it does not know, and that the
 * libraries have to judge the value; so does everything it throws.
 */
export type RunCheck = (value: PlainObject) => object | undefined;
