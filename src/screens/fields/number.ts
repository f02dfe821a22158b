/** A number of things with its thousands apart, `1234567` → `1,234,567`: the same in Chinese and in English. */
export const grouped = (number: number): string => number.toLocaleString('zh-CN')
