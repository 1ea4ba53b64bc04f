# Writes the examples that failed beside this file, as CTRF has them.
require "json"

RSpec.configure do |config|
  config.before(:suite) do
    next unless RSpec::Core::Version::STRING.to_i >= 3

    tests = []
    listener = Object.new
    listener.define_singleton_method(:example_failed) do |notification|
      example, error = notification.example, notification.exception
      tests << {
        name: example.full_description, status: "failed", message: error.message.to_s.scrub,
        trace: (error.backtrace || []).join("\n"),
        filePath: example.metadata[:file_path], line: example.metadata[:line_number]
      }
    rescue StandardError
      nil # A report must not change what the suite does.
    end
    listener.define_singleton_method(:stop) do |_|
      report = JSON.generate(results: { tests: tests })
      File.write(File.join(__dir__, "rspec-#{Process.pid}.json"), report)
    rescue StandardError
      nil
    end
    config.reporter.register_listener(listener, :example_failed, :stop)
  end
end
