import type { Ajv } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';

/** The class of either dialect. */
export type AnyAjv = Ajv | Ajv2020;
