import type { ListView } from './list-view.ts'

/** Rows of a named filter that wait for somebody to act on them: a line of that person's to-dos, which leads to the filter. */
export interface Todo<Row = Record<string, string | number | null>, Time extends string = string> {
  /** What the line is called: `待审核的注册`. */
  readonly label: string
  /** Permission of whoever does it; that of the screen by default. */
  readonly needs?: string
  /** Time since which a row waits; `createTime` by default. */
  readonly since?: Time
  /** Which of the rows wait too long. What it says of a time (`before`) is the deadline by which lines stand in order. */
  readonly overdue?: ListView<Row>
}

/** To-dos of a screen by the named filter whose rows they count. */
export type Todos = Readonly<Record<string, Todo>>

/** Work of a page by hand that is counted by the page's module. */
export interface CountedTodo extends Pick<Todo, 'label'> {
  readonly needs: string
  /** Address of the page that lists it. */
  readonly opens: string
}
