/** What one toolchain's run printed. */
export interface Surface {
  readonly surface: string;
  readonly answer: string;
}

export function parseSurface(toolchain: string, stdout: string): Surface {
  const { surface, answer } = JSON.parse(stdout) as Partial<Surface>;
  if (surface === undefined || answer !== 'moon a true true') {
    throw new Error(`${toolchain} gave another answer: ${stdout}`);
  }
  return { surface, answer };
}
