import { expect, test } from 'vitest'
import { readBpmn } from './bpmn.ts'

const model = 'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"'
const around = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<definitions ${model}>${inside}</definitions>`
const process = (inside = '') => around(`<process id="leave" name="请假">${inside}</process>`)

test.each([
  ['plain', process('<startEvent id="a"/><userTask id="b" name="a &lt; b &amp; c"></userTask>')],
  [
    'with a prefix',
    `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="leave"/></bpmn:definitions>`,
  ],
  ['with a comment and data', process('<!-- note --><documentation><![CDATA[a < b]]></documentation>')],
])('a model is read: %s', (_name, xml) => expect(readBpmn(xml)).toMatchObject({ processId: 'leave', processes: 1 }))

test.each([
  ['a document type', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${process('&e;')}`, 'DOCTYPE'],
  ['an entity of its own', process('&e;'), 'XML'],
  ['an entity in an attribute', process('<userTask id="&e;"/>'), 'XML'],
  ['a script task', process('<scriptTask id="s"/>'), '脚本'],
  ['a script task behind a prefix', process('<x:ScriptTask xmlns:x="y" id="s"/>'), '脚本'],
  ['a processing instruction', process('<?xml-stylesheet href="x"?>'), 'XML'],
  ['an element that is not closed', `<definitions ${model}><process id="a">`, 'XML'],
  ['elements closed crosswise', around('<process id="a"><b></process></b>'), 'XML'],
  ['two roots', `${process()}${process().replace(/<\?.*\?>\n/, '')}`, 'XML'],
  ['an attribute twice', process('<userTask id="a" id="b"/>'), 'XML'],
  ['something else than BPMN', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'BPMN'],
  ['no process', around(''), '没有流程'],
  ['no XML', 'leave', 'XML'],
  ['too much', process(`<documentation>${'x'.repeat(1024 * 1024)}</documentation>`), '1MB'],
  ['a tower', process('<a>'.repeat(200) + '</a>'.repeat(200)), 'XML'],
])('a model is refused for %s', (_name, xml, words) => expect(() => readBpmn(xml)).toThrow(words))
