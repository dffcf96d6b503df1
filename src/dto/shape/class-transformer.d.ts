// class-transformer has no public way to read what @Type, @Transform, @Expose and @Exclude wrote.
// This is the part of its storage (0.5.1, frozen upstream) that is read here.
declare module 'class-transformer/cjs/storage.js' {
  type Target = new (...args: never[]) => unknown;

  interface TypeRecord {
    readonly typeFunction?: (options?: unknown) => unknown;
    readonly reflectedType?: unknown;
    readonly options?: {
      readonly discriminator?: {
        readonly property?: string;
        readonly subTypes?: readonly { readonly name: string; readonly value: Target }[];
      };
    };
  }

  interface ExposeRecord {
    readonly options?: { readonly name?: string };
  }

  interface ExcludeRecord {
    readonly options?: { readonly toClassOnly?: boolean; readonly toPlainOnly?: boolean };
  }

  export const defaultMetadataStorage: {
    findTypeMetadata(target: Target, property: string): TypeRecord | undefined;
    findTransformMetadatas(target: Target, property: string, transformation: number): readonly unknown[];
    findExposeMetadata(target: Target, property: string): ExposeRecord | undefined;
    findExcludeMetadata(target: Target, property: string): ExcludeRecord | undefined;
    getExposedMetadatas(target: Target): readonly unknown[];
    getExcludedMetadatas(target: Target): readonly unknown[];
    getStrategy(target: Target): 'excludeAll' | 'exposeAll' | 'none';
  };
}

// What class-transformer (0.5.1, frozen upstream) runs in `plainToInstance` and `instanceToPlain`, as far as it is used
// here. Its entry loads some twenty files more.
declare module 'class-transformer/cjs/TransformOperationExecutor.js' {
  export class TransformOperationExecutor {
    constructor(transformation: number, options: object);
    transform(source: undefined, value: unknown, target: unknown): unknown;
    protected getKeys(target: unknown, object: object, isMap: boolean | undefined): string[];
  }
}
