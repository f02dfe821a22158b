import { expect, test } from 'vitest'
import { buildApp } from '../../server/app.ts'
import { readConfig } from './config.ts'

const key = '7d1f0a93c2be4856af01d9c7e3b65284'
const url = 'postgresql://someone:password@db.example.org/juxian'

test('has a default for everything', () => {
  expect(readConfig({})).toMatchObject({
    port: 8000,
    host: '127.0.0.1',
    demo: true,
    databaseUrl: undefined,
    schema: 'apply',
    captchaMode: true,
    registerMode: true,
    tenantMode: false,
    switchMode: false,
    bladeApi: undefined,
  })
})

test('a start changes tables unless it shall only look', () => {
  expect(readConfig({ SCHEMA: 'check' }).schema).toBe('check')
})

test('with a database of its own it is no demo', () => {
  expect(readConfig({ DATABASE_URL: url, SECRET_KEY: key })).toMatchObject({ demo: false, registerMode: false })
})

test('says all that is wrong at once, by name', () => {
  const read = () =>
    readConfig({ PORT: '80000', CAPTCHA_MODE: 'yes', DATABASE_URL: 'mysql://x', BLADE_API: 'blade', SCHEMA: 'no' })
  expect(read).toThrow(/PORT[\s\S]*DATABASE_URL|DATABASE_URL[\s\S]*PORT/)
  expect(read).toThrow(/CAPTCHA_MODE/)
  expect(read).toThrow(/BLADE_API/)
  expect(read).toThrow('SCHEMA must be apply or check')
})

test('providers of text messages are at their own addresses unless it is said', () => {
  expect(readConfig({}).smsHosts).toEqual({})
  const hosts = 'tencent=https://sms.example.org, yunpian=http://10.0.0.8:9000'
  expect(readConfig({ SMS_HOSTS: hosts }).smsHosts).toEqual({
    tencent: 'https://sms.example.org',
    yunpian: 'http://10.0.0.8:9000',
  })
  for (const wrong of ['tencent', 'tencent=sms.example.org', 'tencent=https://sms.example.org/x', '=https://x.org'])
    expect(() => readConfig({ SMS_HOSTS: wrong })).toThrow('SMS_HOSTS must be like')
})

test('a bucket is named whole, with what has a default left out', () => {
  const bucket = { S3_ENDPOINT: 'https://s3.example.org', S3_BUCKET: 'exam', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' }
  expect(readConfig({}).s3).toBeUndefined()
  expect(readConfig({ ...bucket, S3_PREFIX: 'a/b' }).s3).toEqual({
    endpoint: 'https://s3.example.org',
    publicUrl: 'https://s3.example.org',
    bucket: 'exam',
    region: 'us-east-1',
    accessKey: 'a',
    secretKey: 'b',
    style: 'path',
    prefix: 'a/b/',
  })
  const wrong = { S3_ENDPOINT: 'https://s3.example.org/exam', S3_STYLE: 'virtual', S3_PREFIX: '../x', S3_BUCKET: 'X' }
  expect(() => readConfig(wrong)).toThrow(
    /S3_ACCESS_KEY is missing[\s\S]*S3_SECRET_KEY is missing[\s\S]*S3_ENDPOINT must[\s\S]*S3_BUCKET must[\s\S]*S3_STYLE must[\s\S]*S3_PREFIX must/,
  )
  expect(() => readConfig({ S3_REGION: 'eu' })).toThrow(/S3_ENDPOINT is missing: S3_REGION is given/)
  const insecure = {
    ...bucket,
    S3_PUBLIC_URL: 'http://files.example.org',
    PUBLIC_URL: 'https://exam.example.org',
    DEMO: 'true',
  }
  expect(() => readConfig(insecure)).toThrow(/^S3_PUBLIC_URL must begin with https/)
})

test('proxies are addresses or networks, and their word counts', async () => {
  const proxied = { TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,loopback' }
  expect(readConfig(proxied).trustProxy).toEqual(['10.0.0.1', '192.168.0.0/16', 'loopback'])
  expect(() => readConfig({ TRUST_PROXY: '10.0.0.1/33' })).toThrow(/TRUST_PROXY/)
  expect(() => readConfig({ TRUST_PROXY: 'true' })).toThrow(/TRUST_PROXY/)
  const addressSeen = async (trustProxy: readonly string[]) => {
    const config = { ...readConfig({}), bladeApi: 'http://127.0.0.1:1', trustProxy, logLevel: 'silent' } as const
    const app = await buildApp(config, one => {
      one.get('/where', { config: { access: 'public' } }, async request => request.ip)
    })
    const { body } = await app.inject({ url: '/where', headers: { 'x-forwarded-for': '203.0.113.9' } })
    await app.close()
    return body
  }
  expect(await addressSeen([])).toBe('127.0.0.1')
  expect(await addressSeen(['loopback'])).toBe('203.0.113.9')
  expect(await addressSeen(['10.0.0.0/8'])).toBe('127.0.0.1')
})

test('numbers and ports are what they may be', () => {
  expect(readConfig({})).toMatchObject({
    databasePool: 10,
    databasePoolDirect: 2,
    databasePrepared: true,
    drainTime: 5000,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
  })
  const direct = { DATABASE_URL: url, DATABASE_DIRECT_URL: url, SECRET_KEY: key }
  expect(readConfig(direct).databasePrepared).toBe(false)
  const given = { ...direct, DATABASE_POOL: '40', DATABASE_PREPARED: 'true', DRAIN_SECONDS: '0', METRICS_PORT: '9464' }
  expect(readConfig(given)).toMatchObject({ databasePool: 40, databasePrepared: true, drainTime: 0, metricsPort: 9464 })
  const wrong = {
    DATABASE_POOL: '1',
    DATABASE_POOL_DIRECT: '0',
    DATABASE_PREPARED: 'x',
    METRICS_PORT: '0',
    DRAIN_SECONDS: '1.5',
  }
  for (const [name, text] of Object.entries(wrong))
    expect(() => readConfig({ [name]: text })).toThrow(new RegExp(`^${name} must be .*"${text}"\\.$`))
})
