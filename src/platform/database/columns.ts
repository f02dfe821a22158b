/**
 * Further overloads of Kysely's conditions, for what nearly all of them are: a column by its name, an operator, a value. Kysely's
 * own ask TypeScript for the value of every column that the statement knows before they look at the one that is named, which
 * costs a hundred times as much checking; they still take what these do not, and say what is wrong with it.
 */
import type {
  AnyColumn,
  ComparisonOperator,
  ComparisonOperatorExpression,
  ExpressionBuilder,
  ExpressionWrapper,
  OperandExpression,
  SelectType,
  SqlBool,
  ValueExpressionOrList,
} from 'kysely'

/** What a column holds: `signup.name`, or `name` where one table has it. */
type ColumnValue<DB, TB extends keyof DB, C> = C extends `${infer T}.${infer K}`
  ? T extends TB
    ? K extends keyof DB[T]
      ? SelectType<DB[T][K]>
      : never
    : never
  : { [T in TB]: C extends keyof DB[T] ? SelectType<DB[T][C]> : never }[TB]

/** Which of the names are no columns of the tables. */
type Unknown<DB, TB extends keyof DB, C> = C extends `${infer T}.${infer K}`
  ? T extends TB
    ? K extends keyof DB[T]
      ? never
      : C
    : C
  : C extends AnyColumn<DB, TB>
    ? never
    : C

/**
 * What a column is compared with; never where there is no such column. A name that was constrained to columns, or inferred from
 * the value, too, would have TypeScript read them all.
 */
type Operand<DB, TB extends keyof DB, C> = NoInfer<
  [Unknown<DB, TB, C>] extends [never] ? ValueExpressionOrList<DB, TB, ColumnValue<DB, TB, C> | null> : never
>

/** Kysely's expressions, with the overload for conditions. */
interface Conditions<DB, TB extends keyof DB> extends ExpressionBuilder<DB, TB> {
  <C extends string>(lhs: C, op: ComparisonOperator, rhs: Operand<DB, TB, C>): ExpressionWrapper<DB, TB, SqlBool>
}

declare module 'kysely' {
  interface SelectQueryBuilder<DB, TB extends keyof DB, O> {
    where<C extends string>(
      lhs: C,
      op: ComparisonOperatorExpression,
      rhs: Operand<DB, TB, C>,
    ): SelectQueryBuilder<DB, TB, O>
    where(make: (eb: Conditions<DB, TB>) => OperandExpression<SqlBool>): SelectQueryBuilder<DB, TB, O>
  }

  interface UpdateQueryBuilder<DB, UT extends keyof DB, TB extends keyof DB, O> {
    where<C extends string>(
      lhs: C,
      op: ComparisonOperatorExpression,
      rhs: Operand<DB, TB, C>,
    ): UpdateQueryBuilder<DB, UT, TB, O>
    where(make: (eb: Conditions<DB, TB>) => OperandExpression<SqlBool>): UpdateQueryBuilder<DB, UT, TB, O>
  }

  interface DeleteQueryBuilder<DB, TB extends keyof DB, O> {
    where<C extends string>(
      lhs: C,
      op: ComparisonOperatorExpression,
      rhs: Operand<DB, TB, C>,
    ): DeleteQueryBuilder<DB, TB, O>
    where(make: (eb: Conditions<DB, TB>) => OperandExpression<SqlBool>): DeleteQueryBuilder<DB, TB, O>
  }

  interface JoinBuilder<DB, TB extends keyof DB> {
    on<C extends string>(lhs: C, op: ComparisonOperatorExpression, rhs: Operand<DB, TB, C>): JoinBuilder<DB, TB>
  }

  interface AggregateFunctionBuilder<DB, TB extends keyof DB, O = unknown> {
    filterWhere<C extends string>(
      lhs: C,
      op: ComparisonOperatorExpression,
      rhs: Operand<DB, TB, C>,
    ): AggregateFunctionBuilder<DB, TB, O>
  }
}
