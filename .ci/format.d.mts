export function layOut(name: string, text: string, more?: Readonly<Record<string, unknown>>): Promise<string>;
