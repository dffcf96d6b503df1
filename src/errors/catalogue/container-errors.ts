export const containerErrors = {} as const;
