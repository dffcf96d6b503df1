export const shapeErrors = {
  TW_SHAPE_UNDECORATED: 'A class that describes an input or output has no validation decorator.',
  TW_SHAPE_CONSTRUCTOR: 'A DTO class cannot be constructed without arguments.',
  TW_SHAPE_NESTED_TYPE: 'A nested property does not say which class it holds.',
  TW_SHAPE_RESERVED_NAME: 'A property is named like a member that every object has.',
  TW_SHAPE_FIELD_WITHOUT_VALIDATOR: 'A property has @Field and no validator, so it would be refused.',
  TW_SHAPE_COLLECTION_TYPE: 'A Map or Set is not told how to be made from JSON.',
  TW_SHAPE_TRANSFORMER_COPIES:
    'A DTO is decorated by another copy of class-transformer than the one that reads it.',
  TW_SHAPE_VALIDATOR_UNREGISTERED: 'A validator class lacks @ValidatorConstraint, so it would never run.',
  TW_SHAPE_REDECLARED: 'A property that is declared again loses validators of the base class.',
  TW_SHAPE_EACH_WITHOUT_ARRAY: 'A property is checked item by item and accepts a value that is no array.',
  TW_SHAPE_PATTERN_UNBOUNDED:
    'A pattern may take very long for a long text, and cannot be run in another way.',
  TW_SHAPE_NESTED_UNCHECKED: 'A property becomes an instance of a DTO that nobody validates.',
} as const;
