import { expect, test } from 'vitest'
import { type Parameter, parameterProblem } from '#engine'
import { parameters } from '#schemas/parameters'

test.each(Object.entries<Parameter>(parameters))('%s: its preset value meets its own rules', (_key, parameter) =>
  expect(parameterProblem(parameter, parameter.preset)).toBeNull(),
)

test.each([
  ['site.register', 'yes', '请选择列出的值'],
  ['site.register', 'true', null],
  ['register.sms', 'auto', null],
  ['log.api.days', '30', '不能小于180'],
  ['log.api.days', '一年', '请填写整数'],
  ['export.days', '31', '不能大于30'],
  ['job.hosts', 'a.example, b.example:8080', null],
  ['job.hosts', 'http://a.example/', '格式不正确，请按说明填写'],
  ['map.search', 'http://a.example/{keyword}', '格式不正确，请按说明填写'],
  ['login.secondFactor', 'administrator,finance', null],
  ['login.secondFactor', 'exam-admin，复核员', null],
  ['login.secondFactor', ',administrator', '格式不正确，请按说明填写'],
  ['site.title', '', '不能为空'],
] as const)('%s = «%s»: %s', (key, value, problem) => expect(parameterProblem(parameters[key], value)).toBe(problem))
