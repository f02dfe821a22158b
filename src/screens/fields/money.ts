/** Fen as yuan with two decimals, `1234567` → `12,345.67`. Empty for a missing amount. */
export function yuan(fen: unknown): string {
  if (fen === null || fen === undefined || fen === '') return ''
  const amount = Number(fen) / 100
  return amount.toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

/** Yuan as whole fen. Rounded, because 0.1 + 0.2 is not 0.3 in a computer. */
export const fen = (amount: number): number => Math.round(amount * 100)
