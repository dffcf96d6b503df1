export const serverErrors = {} as const;
