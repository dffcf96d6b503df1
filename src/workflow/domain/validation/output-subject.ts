/** An output that rules look at; it is parsed once, however many rules want its JSON. */
export class OutputSubject {
  readonly text: string;
  #json: ParsedJson | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get json(): ParsedJson {
    return (this.#json ??= parse(this.text));
  }
}

/** The value, or what the parser has to say. */
export type ParsedJson = { readonly value: unknown } | { readonly fault: string };

function parse(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
