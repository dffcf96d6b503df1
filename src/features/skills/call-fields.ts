import type { ServedSkills } from './skills.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Undefined where the application serves no skills. */
    readonly skills?: ServedSkills;
  }
}

export {};
