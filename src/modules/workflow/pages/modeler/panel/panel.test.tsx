import '@testing-library/jest-dom/vitest'
import '../../../../../../tests/helper/screens-page.tsx'
import '../../../../../../tests/helper/drawing-page.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../../../../../tests/helper/screens-wire.ts'

const { createEditor } = await import('../editor.ts')
const { Panel } = await import('./Panel.tsx')
type Editor = ReturnType<typeof createEditor>

const xml = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn" targetNamespace="x">
<process id="claim" name="报销"><startEvent id="s"/><userTask id="u" flowable:formKey="gone"/>
<serviceTask id="a" flowable:delegateExpression="\${retired}"><extensionElements>
<flowable:field name="level" stringValue="3"/></extensionElements></serviceTask>
<serviceTask id="h" flowable:type="http"><extensionElements><flowable:field name="requestMethod" stringValue="FETCH"/>
<flowable:field name="requestUrl" stringValue="https://a.example/\${id}"/></extensionElements></serviceTask>
<callActivity id="c" calledElement="nowhere"/><callActivity id="d" calledElement="\${which}"/><endEvent id="e"/>
<sequenceFlow id="f1" sourceRef="s" targetRef="u"/><sequenceFlow id="f0" sourceRef="u" targetRef="a"/><sequenceFlow id="f2" sourceRef="a" targetRef="h"/>
<sequenceFlow id="f3" sourceRef="h" targetRef="c"/><sequenceFlow id="f4" sourceRef="c" targetRef="d"/>
<sequenceFlow id="f5" sourceRef="d" targetRef="e"/></process></definitions>`

const field = (name: string, title: string, more = {}) => ({ name, title, required: false, isPeople: false, ...more })
const choices = {
  roles: [],
  posts: [],
  forms: [
    { key: 'leave', title: '请假' },
    { key: 'expense', title: '报销' },
  ],
  actions: [
    { name: 'copy', title: '抄送', fields: [field('users', '抄送人', { required: true, isPeople: true })] },
    {
      name: 'setVariable',
      title: '设置变量',
      fields: [field('name', '变量名', { required: true }), field('value', '值')],
    },
  ],
  processes: [
    { modelKey: 'leave', name: '请假流程', suspensionState: 1 },
    { modelKey: 'old', name: '旧流程', suspensionState: 2 },
  ],
}

/** The panel beside a drawing, drawn anew after each change as on the page. */
function Beside({ editor }: { editor: Editor }): ReactNode {
  const [, draw] = useState(0)
  useEffect(() => {
    const again = (): void => draw(count => count + 1)
    return editor.follow({ changed: again, chose: again })
  }, [editor])
  return <Panel editor={editor} />
}

let editor: Editor

async function choose(id: string): Promise<void> {
  editor.choose(id)
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <Beside editor={editor} />
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )
  await screen.findByRole('region', { name: '属性' })
}

/** Chooses in one of the panel's lists. */
async function pick(label: string, choice: string): Promise<void> {
  await userEvent.click(screen.getByRole('combobox', { name: label }))
  const options = await screen.findAllByTitle(choice)
  await userEvent.click(options.at(-1)!)
}

beforeEach(async () => {
  wire.answer = ({ path }) => ({ data: path.endsWith('model/choices') ? choices : [] })
  editor = createEditor()
  await editor.open(xml)
})

test('a process that is not deployed is named as such and stays until another is chosen', async () => {
  await choose('c')
  expect(await screen.findByText('没有部署标识为nowhere的流程')).toBeInTheDocument()
  expect(await editor.xml()).toContain('calledElement="nowhere"')
  await pick('被调用的流程', '请假流程 · leave')
  expect(await editor.xml()).toContain('calledElement="leave"')
  expect(await editor.xml()).not.toContain('nowhere')
})

test('a suspended process is marked, and one that an expression names is no unknown one', async () => {
  await choose('d')
  expect(screen.getByRole('textbox', { name: '表达式' })).toHaveValue('${which}')
  expect(screen.queryByText(/没有部署/)).toBeNull()
  await pick('调用', '已部署的流程')
  await userEvent.click(screen.getByRole('combobox', { name: '被调用的流程' }))
  expect(await screen.findByTitle('旧流程 · old（已挂起）')).toBeInTheDocument()
})

test('an action that is not registered is named as such with its parameters, which go when another is chosen', async () => {
  await choose('a')
  expect(await screen.findByText('没有登记名为retired的动作，部署时会被拒绝')).toBeInTheDocument()
  expect(screen.getByRole('textbox', { name: '参数' })).toHaveValue('level')
  await pick('动作', '设置变量')
  const name = await screen.findByRole('textbox', { name: '变量名' })
  await userEvent.type(name, 'done')
  await userEvent.click(document.body)
  const written = await editor.xml()
  expect(written).toContain('flowable:delegateExpression="${setVariable}"')
  expect(written).toMatch(/<flowable:field name="name">\s*<flowable:string>done</)
  expect(written).not.toContain('level')
})

test('who is told by an action is chosen among people', async () => {
  await choose('a')
  await screen.findByText(/retired/)
  await pick('动作', '抄送')
  expect(await screen.findByRole('combobox', { name: '抄送人' })).toBeInTheDocument()
  expect(screen.getByRole('combobox', { name: '人员' })).toBeInTheDocument()
})

test('a method that cannot be used stays and is named; parameters that are not touched stay as they are', async () => {
  await choose('h')
  expect(await screen.findByText('不能用请求方法FETCH')).toBeInTheDocument()
  await pick('请求方法', 'PUT')
  await pick('失败后继续', '是')
  const written = await editor.xml()
  expect(written).toContain('https://a.example/${id}')
  expect(written).toContain('>PUT<')
  expect(written).toMatch(/name="ignoreException">\s*<flowable:string>true</)
})

test('a form that is not registered is named as such', async () => {
  await choose('u')
  const panel = within(screen.getByRole('region', { name: '属性' }))
  expect(await panel.findByText('没有登记名为gone的表单，部署时会被拒绝')).toBeInTheDocument()
  await pick('表单名称', '报销')
  expect(await editor.xml()).toContain('flowable:formKey="expense"')
})
