import type { ScalarType } from './shape.ts';

const TYPED: Readonly<Record<Exclude<ScalarType, 'any'>, readonly string[]>> = {
  number: [
    'isNumber',
    'min',
    'max',
    'isPositive',
    'isNegative',
    'isDivisibleBy',
    'isLatitude',
    'isLongitude',
  ],
  integer: ['isInt'],
  boolean: ['isBoolean'],
  object: ['isObject', 'isNotEmptyObject'],
  date: ['isDate', 'minDate', 'maxDate'],
  array: [
    'isArray',
    'arrayContains',
    'arrayNotContains',
    'arrayNotEmpty',
    'arrayMinSize',
    'arrayMaxSize',
    'arrayUnique',
  ],
  string: [
    ...['isString', 'minLength', 'maxLength', 'isLength', 'matches', 'contains', 'notContains'],
    ...[
      'isAlpha',
      'isAlphanumeric',
      'isAscii',
      'isBase32',
      'isBase58',
      'isBase64',
      'isBIC',
      'isBooleanString',
    ],
    ...[
      'isBtcAddress',
      'isByteLength',
      'isCreditCard',
      'isCurrency',
      'isDataURI',
      'isDateString',
      'isDecimal',
    ],
    ...['isEAN', 'isEmail', 'isEthereumAddress', 'IsFirebasePushId', 'isFqdn', 'isFullWidth', 'isHSL'],
    ...['isHalfWidth', 'isHash', 'isHexColor', 'isHexadecimal', 'isIBAN', 'isIdentityCard', 'isIp', 'isISIN'],
    ...[
      'isIsin',
      'isIsbn',
      'isISO31661Alpha2',
      'isISO31661Alpha3',
      'isISO31661Numeric',
      'isISO4217CurrencyCode',
    ],
    ...[
      'isISO6391',
      'isIso8601',
      'isISRC',
      'isISSN',
      'isJson',
      'isJwt',
      'isLatLong',
      'isLocale',
      'isLowercase',
    ],
    ...['isMacAddress', 'isMagnetURI', 'isMilitaryTime', 'isMimeType', 'isMobilePhone', 'isMongoId'],
    ...['isMultibyte', 'isNumberString', 'isOctal', 'isPassportNumber', 'isPhoneNumber', 'isPort'],
    ...[
      'isPostalCode',
      'isRFC3339',
      'isRgbColor',
      'isSemVer',
      'isStrongPassword',
      'isSurrogatePair',
      'isTaxId',
    ],
    ...['isTimeZone', 'isUppercase', 'isUrl', 'isUuid', 'isVariableWidth'],
  ],
};

const UNTYPED = [
  'isDefined',
  'isNotEmpty',
  'isEmpty',
  'equals',
  'notEquals',
  'isIn',
  'isNotIn',
  'isEnum',
  'isInstance',
];

const types: ReadonlyMap<string, ScalarType> = new Map([
  ...Object.entries(TYPED).flatMap(([type, names]) =>
    names.map((name) => [name, type as ScalarType] as const),
  ),
  ...UNTYPED.map((name) => [name, 'any'] as const),
]);

/** The one JSON type that a validator of class-validator accepts; undefined for all other validators. */
export function validatorType(name: string, args: readonly unknown[]): ScalarType | undefined {
  const options = args[0] as { maxDecimalPlaces?: unknown } | undefined;
  if (name === 'isNumber' && options?.maxDecimalPlaces === 0) return 'integer';
  return types.get(name);
}
