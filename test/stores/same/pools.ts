/** Few similar texts, so that comparisons differ by case, normalization, surrounding space or a store's own syntax. */
export const alike: readonly string[] = [
  'a¦A¦b¦a ¦ a¦a\t¦a\n¦a\u200b¦a\u00ad¦ab¦a b¦a  b',
  '\u00e9¦e\u0301¦E\u0301¦\u00c9¦\u0301¦e¦\u00e9a¦a\u0301\u0323¦a\u0323\u0301',
  'i¦I¦\u0130¦\u0131¦i\u0307¦\u00df¦ss¦SS¦\u1e9e¦STRASSE¦Stra\u00dfe',
  '\u03c3¦\u03c2¦\u03a3¦\u039f\u03a3¦\u03bf\u03c2¦\u212a¦k¦\u2126¦\u03c9',
  '\ufb01¦fi¦\uff41¦\uff21¦\u01c5¦\u00e6¦ae¦\ud55c¦\u1112\u1161\u11ab¦\u304c¦\u304b\u3099',
  '\u{1d4b3}¦\u{1f389}¦\u{1f389}\u{1f389}¦\u{10400}¦\u{10428}¦\u{20bb7}¦\u{2f81a}¦\u51ac¦\u{10ffff}',
  '%¦_¦\\¦*¦?¦[a]¦[¦]¦a.b¦.¦^a$¦(a|b)¦a{1}¦+¦#¦/¦&¦|¦~¦<1-9>¦@¦!¦-¦:¦"¦\'¦`¦$¦$a¦{"a":1}',
  '\ue000¦\ue001¦\ufeff¦\ufffd¦\u2028¦\r\n¦\u0085¦\u00a0¦\u3000¦\u0001¦\u007f',
  'null¦true¦0¦00¦1¦1.0¦undefined¦__proto__¦constructor¦length¦AND¦OR¦NOT',
].flatMap((line) => line.split('¦'))

/** Texts at length limits, and texts that no store accepts. */
export const extreme: readonly string[] = [
  ...'¦ ¦   ¦\u0000¦a\u0000b¦\ud83d¦\ude00a¦\ude00\ud83d'.split('¦'),
  ...[2, 40, 41, 254, 255, 256].map((length) => 'x'.repeat(length)),
  ...[20, 127, 128].map((length) => '\u{1f389}'.repeat(length)),
  ...['\u00df', '%', '\ue000', ' ', '\u0130'].map((unit) => unit.repeat(255)),
  ...['e\u0301'.repeat(127), `${'y '.repeat(127)}y`],
]

interface Pool {
  /** Valid values, each as JSON text. */
  readonly good: readonly string[]
  readonly bad: readonly string[]
}

const split = (values: string) => values.trim().split(/\s+/)

const bare = (good: string, bad: string): Pool => ({ good: split(good), bad: split(bad) })

const quoted = (good: string, bad: string): Pool => ({
  good: split(good).map((value) => `"${value}"`),
  bad: ['""', ...split(bad).map((value) => `"${value}"`)],
})

const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

const longTexts = ['z', 'z ', '\u00e9', '\u{1f389}', '\u0130'].flatMap((unit) =>
  [1_000, 9_000, 33_000].map((length) => JSON.stringify(unit.repeat(length))),
)

/**
 * Valid and invalid values for each field type. Prisma keeps 16 digits of a float above 1e18, so no value above 1e18
 * has more.
 */
export const pools = {
  bool: bare('true false', '0 "true"'),
  int: bare(
    '0 -0 1 -1 2 1.0 10e-1 2000000000 2147483647 -2147483648',
    '1.5 2147483648 -2147483649 4294967296 9007199254740993 1e21 "7"',
  ),
  size: bare('1 2 7 1e3 2000000000', '0 -0 -1 2000000001 2147483648 1.5'),
  float: bare(
    `0 -0 0.0 1 1.0 -1 0.1 0.1e0 0.2 0.3 0.30000000000000004 4.35 2.675 100 1e2 1e-7 1e21 9007199254740993
     123456789.12345679 3.4028236e38 1.17549429e-38 1e126 9.999999999999999e125 1e-130 1e-131 1e308 -1e308
     5e-324 2.2250738585072014e-308 2.225073858507201e-308`,
    '1.0000000000000002e308 1.7976931348623157e308 1e400',
  ),
  decimal: bare(
    `"0" 0 -0 "-0" "-0.0000" "0.0" "0.1" 0.1 "0.10" "00.1" "1" 1 1.0 "1.0000" "-1" "12345678.1234" 4.35
     "99999999.9999" 99999999.9999 "-99999999.9999" "0.0001" 0.0001 "-0.0001"`,
    `"100000000" "1.23456" "1e3" 1e-7 1e21 0.30000000000000004 "" "-" "\u0661" "1,5" "NaN" "+1" "1." ".5"
     "000000000.1"`,
  ),
  rate: bare('0 "0" -0 "-0" 99999 "-99999" "00001" 1.0 1e2', '100000 "0.5" "1." "000001"'),
  date: quoted(
    `0001-01-01 0099-12-31 0100-03-01 1000-01-01 1582-10-04 1582-10-10 1582-10-15 1752-09-05 1883-11-18
     1900-02-28 1969-12-31 1970-01-01 2000-02-29 2020-02-29 2020-03-29 2020-12-31 9999-12-31`,
    '0000-12-31 1900-02-29 2021-02-29 2020-02-30 2020-2-9 10000-01-01 -0001-01-01 2020-02-29T00:00:00Z',
  ),
  datetime: quoted(
    `0001-01-01T00:00:00Z 0099-06-01T00:00:00Z 0999-12-31T23:59:59.999Z 1582-10-10T00:00:00Z
     1883-11-18T12:03:58Z 1970-01-01T00:00:00Z 1969-12-31T23:59:59.999Z 2038-01-19T03:14:08Z
     9999-12-31T23:59:59.999Z 9999-12-31T23:59:59.9999Z 2020-02-29T12:30:00.120Z 2020-02-29T12:30:00.12Z
     2020-02-29T18:00:00.120+05:30 2020-02-29T12:30:00.1204Z 2020-02-29T12:30:00.1209Z
     2020-02-29T12:30:00.121Z 2020-02-29T12:30Z 2020-03-29T02:30:00+01:00 2020-02-29T12:30:00+23:59
     2020-02-29T12:30:00-23:59 2020-02-29T12:30:00.000000001Z`,
    `0001-01-01T00:00:00+00:01 0000-12-31T23:59:59-00:01 9999-12-31T23:59:59.999-00:01 2016-12-31T23:59:60Z
     2020-02-29T24:00:00Z 2020-02-29T12:30:00 2020-02-29 2020-02-29t12:30:00z 2021-02-29T00:00:00Z
     2020-02-29T12:30:00+24:00`,
  ),
  uuid: quoted(
    `0190f6d6-7a3c-7cc0-b0d5-6a4bb3a3a1c4 0190F6D6-7A3C-7CC0-B0D5-6A4BB3A3A1C4
     00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff
     FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF`,
    `0190f6d67a3c7cc0b0d56a4bb3a3a1c4 {0190f6d6-7a3c-7cc0-b0d5-6a4bb3a3a1c4}
     0190f6d6-7a3c-0cc0-b0d5-6a4bb3a3a1c4`,
  ),
  email: quoted(
    `a@b.io A@b.io a@B.IO a+t@b.io a_b@b.io ab@b.io a%b@b.io o'hara@b.io ${'a'.repeat(64)}@b.io
     ${'a'.repeat(249)}@b.io`,
    `a@b \u00e9@b.io a@b\u00fc.io ${'a'.repeat(250)}@b.io`,
  ),
  enum: quoted('fresh old', 'Fresh new'),
  json: {
    good: [
      ...split(
        '{} [] 0 -0 1.0 false true "" "x" "null" "{}" "[1]" "2020-02-29T12:30:00.120Z" [null] {"a":null}',
      ),
      ...split(
        '{"a.b":1} {"a.b":{"c.d":[]}} {"$gt":1} {"$set":{"a":1}} {"":1} {"":{"":""}} {"\u00e9":1,"e\u0301":2}',
      ),
      ...split(
        '{"constructor":1} {"toString":1,"hasOwnProperty":2} {"length":3} {"0":1} {"b":1,"a":2}',
      ),
      ...split(
        '{"2":1,"10":2,"1":3} {"a":1,"a":2} {"\\"":"\\\\"} "\u{1f389}" "\\u2028" "\\u001f" "<\\/script>"',
      ),
      ...split(
        '1e308 -1e308 5e-324 0.30000000000000004 [0.30000000000000004,1e-7,1e21,9007199254740993,0.1]',
      ),
      ...split('123456789012345678901234567890 0.1000000000000000055511151231257827'),
      ...split(
        '{"$type":"DateTime","value":"2020-01-01T00:00:00.000Z"} {"$type":"Raw","value":"NULL"}',
      ),
      ...split(
        '{"prisma__type":"param","prisma__value":{"name":"x"}} {"$type":"Param","value":{"name":"x"}}',
      ),
      ...split(
        '{"type":"Buffer","data":[1]} {"_id":1,"_source":{}} {"S":"x"} {"$numberLong":"1"} {"toJSON":1}',
      ),
      ...split('{"$oid":"000000000000000000000000"} {"id":1,"created_at":"x"}'),
      ...['{" ":1}', '{"a b":1}', nested(31), nested(30, '1'), `{"a":${nested(30)}}`],
      JSON.stringify(Array.from({ length: 2_000 }, (_, at) => at)),
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, at]))),
      JSON.stringify('z'.repeat(40_000)),
    ],
    bad: [
      ...split(
        '{"__proto__":{"a":1}} 1e400 [1e400] "\\u0000" {"\\u0000":1} "\\ud83d" {"\\ud83d":1}',
      ),
      ...[nested(31, '1'), nested(32), nested(64), nested(1_000)],
    ],
  },
  long: { good: longTexts, bad: ['"\\u0000"', '"\\ud83d"'] },
} as const satisfies Record<string, Pool>

/** The fields of the resource `samples` that filter its list by ranges, and their types. */
export const rangeTypes = {
  ...{ count: 'int', size: 'size', ratio: 'float', near: 'float', price: 'decimal', rate: 'rate' },
  ...{ day: 'date', at: 'datetime' },
} as const satisfies Record<string, keyof typeof pools>
