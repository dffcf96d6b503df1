export const runtimeErrors = {} as const;
