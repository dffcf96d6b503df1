import { test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import * as cv from 'class-validator';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
const C: any = cv;
enum Num { a, b = 3 }
const list: [string, ...any[]][] = [
 ['IsDefined'],['Equals',1],['Equals',null],['NotEquals','a'],['IsEmpty'],['IsNotEmpty'],['IsIn',['a',1,null,true]],['IsNotIn',['a',1,null]],
 ['IsBoolean'],['IsString'],['IsInt'],['IsNumber'],['IsNumber',{maxDecimalPlaces:0}],['IsNumber',{allowNaN:true}],['IsArray'],['IsObject'],['IsEnum',Num],['IsEnum',{x:'1st',y:'a'}],['IsEnum',['a','b']],
 ['Min',0],['Min',-1.5],['Max',2],['IsPositive'],['IsNegative'],['IsDivisibleBy',2],['IsDivisibleBy',-2],['IsDivisibleBy',2.5],['IsDivisibleBy',0],
 ['MinLength',0],['MinLength',2],['MinLength',1.5],['MaxLength',0],['MaxLength',2],['Length',1,2],['Length',1],['Matches',/a/],['Matches',/^a.b$/g],['Matches','^a'],['Matches',/a/i],['Matches',/\-/],['Contains','a'],['Contains','a.'],['Contains',''],['NotContains','a'],
 ['ArrayContains',['a']],['ArrayContains',[]],['ArrayNotContains',['a',1]],['ArrayNotContains',[]],['ArrayNotEmpty'],['ArrayMinSize',2],['ArrayMaxSize',1],['ArrayUnique'],['IsNotEmptyObject'],['IsNotEmptyObject',{nullable:false}],
 ['IsAlpha'],['IsAlpha','de-DE'],['IsAlphanumeric'],['IsAscii'],['IsNumberString'],['IsNumberString',{no_symbols:true}],['IsBooleanString'],['IsHexadecimal'],['IsHexColor'],['IsMongoId'],['IsMilitaryTime'],
 ['IsEmail'],['IsUrl'],['IsFQDN'],['IsUUID'],['IsUUID','4'],['IsUUID',7],['IsUUID',['1','4']],['IsUUID','all'],['IsIP'],['IsIP',4],['IsIP','6'],['IsDateString'],['IsISO8601'],['IsRFC3339'],['IsLatitude'],['IsLongitude'],['IsLatLong'],
 ['Allow'],['IsJSON'],['IsBase64'],['IsPort'],['IsSemVer'],['IsLowercase'],['IsUppercase'],['IsByteLength',1,2],['IsIBAN'],['IsPhoneNumber','DE'],['IsISO4217CurrencyCode'],['IsTimeZone'],['IsTaxId','en-US'],['IsInstance',Date],['IsISBN','10'],
];
const strs = ['', 'a','A','ab','a.b','a\nb','a-b','aXb','abc','1','12','1.5','-1','+3','.5','true','0','1st','0x1F','0x','#fff','fff','507f1f77bcf86cd799439011','0x7f1f77bcf86cd799439011','12:30','1230','2500','a@b.co','a@b','http://a.co','a.co','localhost','1.2.3.4','::1','256.1.1.1',
 '550e8400-e29b-41d4-a716-446655440000','550e8400-e29b-11d4-a716-446655440000','018f4e3a-0000-7000-8000-000000000000','00000000-0000-0000-0000-000000000000','urn:uuid:550e8400-e29b-41d4-a716-446655440000','2020-01-01','2020-02-30','2020-01-01T10:00:00Z','2020-01-01T10:00:00+02:00','2020-01-01 10:00:00Z','2020-01-01T10:00','2020','20200101','2020-W01','{}','x y','é','😀','😀😀','a\uFE0F','\uD800','10,20','1.0.0','DE89370400440532013000'];
const scal: unknown[] = [null, ...strs, 0,-0,1,2,3,4,-1,-2,1.5,2.5,5,90,91,180,181,1e-7,1e21,true,false,{},{a:1},{a:null}];
const vals: unknown[] = [...scal, [], ['a'],['a','b'],['a','a'],[1,'a'],[null],[[]],[['a']],[{}],[{},{}],[{a:1},{a:1}],[1,1],[1,2,3],[0,-0]];
test('sweep', () => {
  const out: string[] = [];
  for (const [name, ...args] of list) for (const each of [false, true]) for (const optional of [false,true]) {
    class D { p: unknown }
    try {
    const a = [...args];
    const dec = each ? C[name](...pad(name, a), { each: true }) : C[name](...a);
    dec(D.prototype, 'p'); if (each) C.IsArray()(D.prototype,'p'); if (optional) C.IsOptional()(D.prototype,'p');
    const c = createContract(D, { unknownFields: 'strict', where: 't' });
    const ajv = new Ajv2020({ strict: false }); (ajvFormats as any).default(ajv);
    const v = ajv.compile(c.schema);
    const bad: string[] = [];
    for (const x of each ? [...vals, ...scal.map(s=>[s])] : vals) { const i = { p: x }; const r: any = c.check(i); const s = v(i); if (r.ok !== s) bad.push((s?'LOOSER ':'stricter ')+JSON.stringify(x)); }
    { const r: any = c.check({}); const s = v({}); if (r.ok !== s) bad.push((s?'LOOSER':'stricter')+' absent'); }
    const isLoose = c.looseFields.length > 0;
    const shown = isLoose ? bad.filter(b=>!b.startsWith('LOOSER')) : bad;
    if (shown.length) out.push(`${name}(${args.map(String)}) each=${each} opt=${optional}: ${shown.slice(0,14).join(' | ')} [${shown.length}]`);
    } catch (e) { out.push(`${name} ${each} THROW ${(e as Error).message.slice(0,300)}`); }
  }
  console.log(out.join('\n'));
});
function pad(name: string, a: unknown[]) { const n: Record<string, number> = { IsNumber:1, Matches:1, IsEmail:1, IsUrl:1, IsFQDN:1,IsUUID:1,IsIP:1,IsDateString:1,IsISO8601:1,IsNumberString:1,IsAlpha:1,IsAlphanumeric:1,Length:2,IsNotEmptyObject:1, IsBase64:1, IsByteLength:2, IsPhoneNumber:1, IsTaxId:1,IsISBN:1 }; const r=[...a]; while (r.length < (n[name] ?? a.length)) r.push(undefined); return r; }
