/// The name of the processor, as the system tells it; the architecture where it does not.
pub fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':')).map(|(_, name)| name);
    let on_windows = std::env::var("PROCESSOR_IDENTIFIER").ok();
    named.map(|name| name.trim().to_owned()).or(on_windows).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
