/** A line of text. The build leaves the other kinds of input out of it, so that lists need not load them. */
export { Input as PlainInput } from 'antd'
