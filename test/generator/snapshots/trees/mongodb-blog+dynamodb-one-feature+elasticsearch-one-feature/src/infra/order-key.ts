/**
 * Returns a text for a decimal. The texts of two decimals, compared by code point, are in the order of the numbers.
 * The text begins with the number of digits before the point. For a negative number, each digit is replaced by 9
 * minus the digit.
 */
export function decimalKey(decimal: string): string {
  const [, sign, whole = '', fraction = ''] = /^(-?)0*(\d*)\.?(\d*?)0*$/.exec(decimal) ?? []
  const digits = `${String(whole.length).padStart(2, '0')}${whole}.${fraction}`
  if (!sign || digits === '00.') return `+${digits}`
  // The end is above all digits: -1.5 comes before -1.
  return `!${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`
}
