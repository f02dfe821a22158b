/** One line of text alone, without passwords, codes and areas. */
export { default as Input } from 'antd/es/input/Input'
