import type {} from './call-fields.ts';

export type { SignInStep } from './step.ts';
