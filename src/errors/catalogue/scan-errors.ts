export const scanErrors = {} as const;
