// class-transformer has no public way to read what @Type, @Transform, @Expose and @Exclude wrote.
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: import('./transformer-metadata.ts').TransformerStorage;
}
