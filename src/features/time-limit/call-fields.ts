declare module '../../runtime/runtime-facet.ts' {
  interface LimitGroup {
    readonly timeout?: number;
  }
  interface ActionGroup {
    readonly timeout?: number | undefined;
  }
}

export {};
