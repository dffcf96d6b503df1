/** An input without the members that are null: models send null for what they leave out. */
export type WithoutNull<Input> = {
  readonly [Name in keyof Input]: Exclude<Input[Name], null | undefined>;
};

/** A plain object with the members that say something. */
export function withoutNull<Input extends object>(input: Input): WithoutNull<Input> {
  const members = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(members) as WithoutNull<Input>;
}
