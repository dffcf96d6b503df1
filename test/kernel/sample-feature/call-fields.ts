declare module '../../../src/kernel/call/call.ts' {
  interface Call {
    /** Set once the call was greeted. */
    greeted?: string;
  }
}

declare module '../../../src/kernel/call/attempt.ts' {
  interface Attempt {
    /** Set once the handler was entered. */
    isInside?: boolean;
  }
}

declare module '../../../src/kernel/call/states.ts' {
  interface States {
    /** How often each word was said. */
    readonly greetings?: Map<string, number>;
  }
}

declare module '../../../src/runtime/runtime-facet.ts' {
  interface LimitGroup {
    /** What is said to callers of actions without a word of their own. */
    readonly greeting?: string;
  }
}

export {};
