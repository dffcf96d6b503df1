export const compileErrors = {} as const;
