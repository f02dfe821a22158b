/** Property types a column may have, with the class each stands for. */
export const propertyTypes: Readonly<Record<string, string>> = {
  String: 'java.lang.String',
  Integer: 'java.lang.Integer',
  Long: 'java.lang.Long',
  Double: 'java.lang.Double',
  BigDecimal: 'java.math.BigDecimal',
  Boolean: 'java.lang.Boolean',
  LocalDate: 'java.time.LocalDate',
  LocalDateTime: 'java.time.LocalDateTime',
}

/** The rows with one of them moved a place up. */
export function movedUp<T>(rows: readonly T[], at: number): readonly T[] {
  const above = rows[at - 1]
  const one = rows[at]
  return above && one ? rows.with(at - 1, one).with(at, above) : rows
}
