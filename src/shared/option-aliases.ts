/** Other names of options: each with the name that it stands for. */
export type OptionAliases<Options> = { readonly [Alias in keyof Options]?: keyof Options };

/**
 * The options under their own names: what was given by another name counts where its own name was not given. Other
 * names stay, so that messages about wrong values name what the user wrote.
 */
export function resolveAliases<Options extends object>(
  options: Options,
  aliases: OptionAliases<Options>,
): Options {
  const renamed = Object.entries(aliases)
    .map(([alias, name]) => [name as string, options[alias as keyof Options]] as const)
    .filter(([name, value]) => value !== undefined && options[name as keyof Options] === undefined);
  return renamed.length === 0 ? options : { ...options, ...Object.fromEntries(renamed) };
}
