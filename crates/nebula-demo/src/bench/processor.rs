/// The name of the processor, as the system tells it, with the numbers that tell generations of one name apart; the architecture where it
/// tells nothing.
pub fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |wanted: &str| {
        let mut fields = told.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(name, _)| name.trim() == wanted).map(|(_, value)| value.trim().to_owned())
    };
    let numbers = field("cpu family").zip(field("model"));
    let numbers = numbers.map(|(family, model)| format!(" (family {family}, model {model})")).unwrap_or_default();
    let on_windows = std::env::var("PROCESSOR_IDENTIFIER").ok();
    field("model name").or(on_windows).map_or_else(|| std::env::consts::ARCH.to_owned(), |name| name + &numbers)
}
