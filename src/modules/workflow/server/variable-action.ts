import type { FlowAction } from './action.ts'

/** Sets a variable of the run at a step of the model. */
export const variableAction: FlowAction = {
  name: 'setVariable',
  title: '设置变量',
  fields: [
    { name: 'name', title: '变量名', required: true },
    { name: 'value', title: '值' },
  ],
  resultIn: 'name',
  when: 'inside',
  run: async (_context, { value = null }) => value,
}
